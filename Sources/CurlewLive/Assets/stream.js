// Reads the server's events (a part of WHATWG HTML section 9.2) from the body of a response, because
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

// Returns a function that parses a body's chunks, which may be split anywhere. The server's events have a name and a
// single line of data.
function eventParser(receive) {
  const decoder = new TextDecoder();
  let rest = "";               // the start of a line whose end has not arrived yet
  let name = "";
  let data = "";
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const [, field, value] = line.match(/^(\w*):? ?([^]*)/);   // An empty field for a comment.
      if (field === "event") name = value;
      if (field === "data") data = value;
      if (!line && name) {
        receive(name, data);
        name = "";
      }
    }
  };
}
