"""A library's JSON API on loopback, written by somebody else: cursor pages, a search, stars, and a book that refuses.

`POST /hold` keeps writes waiting until `POST /release`; `GET /log` has the requests so far.
"""
import base64, hashlib, http.server, json, threading, urllib.parse

ADJECTIVES = "Quiet Amber Northern Borrowed Long Second Hollow Green Late Salt".split()
NOUNS = "House Letters Winter Orchard Garden Lighthouse Season Atlas Kitchen Harbour".split()
AUTHORS = ["Ana Ferreira", "Tomáš Novák", "Aoife Ní Bhriain", "小川 恵", "Ida Krag"]
BOOKS = {
    f"b{i}": {
        "id": f"b{i}", "title": f"The {ADJECTIVES[i % 10]} {NOUNS[i // 10 % 10]}" + (f", volume {i // 100 + 1}"),
        "author": AUTHORS[i % 5], "summary": f"What happened, in {i % 7 + 3} parts.", "year": 1900 + i % 120,
    }
    for i in range(230)
}
STARS, LOG, OPEN, LOCK = [], [], threading.Event(), threading.Lock()
OPEN.set()


class Library(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        with LOCK:
            LOG.append(f"GET {self.path}")
            parts = url.path.strip("/").split("/")
            if parts == ["books"]:
                words = query.get("q", "").lower()
                found = [b for b in BOOKS.values() if words in f"{b['title']} {b['author']}".lower()]
                start = int(base64.b64decode(query["cursor"])) if "cursor" in query else 0
                more = start + 20 < len(found)
                self.reply(200, {
                    "count": len(found), "results": [self.row(b) for b in found[start:start + 20]],
                    "next_cursor": base64.b64encode(str(start + 20).encode()).decode() if more else None})
            elif len(parts) == 2 and parts[0] == "books" and parts[1] in BOOKS:
                self.reply(200, BOOKS[parts[1]] | {"is_starred": parts[1] in STARS})
            elif parts == ["me", "stars"]:
                self.reply(200, {"results": [self.row(BOOKS[id]) for id in STARS]})
            elif parts == ["log"]:
                self.reply(200, LOG)
            else:
                self.reply(404, {"detail": "Not found."})

    def do_PUT(self):
        self.change(lambda id: id in STARS or STARS.insert(0, id))

    def do_DELETE(self):
        self.change(lambda id: id in STARS and STARS.remove(id))

    def do_POST(self):
        OPEN.clear() if self.path == "/hold" else OPEN.set()
        self.reply(204)

    def change(self, change):
        LOG.append(f"{self.command} {self.path}")
        OPEN.wait(30)
        id = self.path.split("/")[-1]
        with LOCK:
            if id == "b7":
                return self.reply(403, {"error": "This book can't be marked: it is on loan to the museum."})
            change(id)
            self.reply(204)

    def row(self, book):
        return {key: book[key] for key in ("id", "title", "author")} | {"is_starred": book["id"] in STARS}

    def reply(self, status, value=None):
        body = b"" if value is None else json.dumps(value).encode()
        tag = f'"{hashlib.sha1(body).hexdigest()}"'
        if status == 200 and self.headers.get("If-None-Match") == tag:
            status, body = 304, b""
        self.send_response(status)
        if status in (200, 304):
            self.send_header("ETag", tag)
            self.send_header("Cache-Control", "private, max-age=60")
        if status not in (204, 304):
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Library)
print(f"listening on {server.server_port}.", flush=True)
server.serve_forever()
