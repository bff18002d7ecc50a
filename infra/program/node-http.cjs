// Node's HTTP, in the place of `node:http` in bundles of programs. An `import` reads all that the module exports, WebSocket
// among it, for which Node loads the whole of its fetch: that is a twelfth of a start.
module.exports = process.getBuiltinModule('node:http');
