// Reloads the page when the site has been rebuilt, and says in the console when that has failed.
//
// Only served sites have this file: `cargo xtask serve` and `trunk serve` add it to every page. It talks to Trunk's web
// socket, which is found from where this module is, so that it works wherever the site is served.

const url = new URL("../.well-known/trunk/ws", import.meta.url);
url.protocol = url.protocol === "https:" ? "wss:" : "ws:";

const RETRY_MS = 2000;

function connect(afterLoss) {
  const socket = new WebSocket(url);
  // The server was gone and is back: whatever it serves now is new.
  socket.addEventListener("open", () => afterLoss && location.reload());
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === "reload") {
      location.reload();
    } else if (message.type === "buildFailure") {
      console.error(`The site could not be rebuilt; this is the last one that could.\n${message.data.reason}`);
    }
  });
  socket.addEventListener("close", () => setTimeout(connect, RETRY_MS, true));
}

connect(false);
