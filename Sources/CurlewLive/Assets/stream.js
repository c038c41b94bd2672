// Reads server-sent events (WHATWG HTML section 9.2) from the body of a response, because
// `EventSource` can't send header fields.

// Calls `receive(name, data)` for each event, and `dataArrived()` whenever anything arrives, until the
// body ends or `signal` is aborted. Throws when the connection is lost.
async function readEvents(body, signal, dataArrived, receive) {
  const reader = body.getReader();
  const parse = eventParser((name, data) => {
    // An event's handler may abort the connection; the remaining events are then ignored.
    if (!signal.aborted) receive(name, data);
  });
  while (true) {
    const { done, value } = await reader.read();
    if (done || signal.aborted) return;
    dataArrived();
    parse(value);
  }
}

// Returns a function that parses a body's chunks, which may be split anywhere.
function eventParser(receive) {
  const decoder = new TextDecoder();
  let rest = "";               // the start of a line whose end has not arrived yet
  let endsWithReturn = false;  // whether a line feed at the start of the next chunk belongs to the last line break
  let name = "";
  let data = [];

  function takeLine(line) {
    if (line === "") {
      if (data.length) receive(name || "message", data.join("\n"));
      name = "";
      data = [];
      return;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);      // Empty for a comment.
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") name = value;
    if (field === "data") data.push(value);
  }

  return (chunk) => {
    let text = decoder.decode(chunk, { stream: true });
    if (!text) return;
    if (endsWithReturn && text.startsWith("\n")) text = text.slice(1);
    endsWithReturn = text.endsWith("\r");
    const lines = (rest + text).split(/\r\n|\n|\r/);
    rest = lines.pop();
    for (const line of lines) takeLine(line);
  };
}
