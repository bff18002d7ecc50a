// Stands for `node:http` in bundles of programs. An `import` of the module reads each of its exports. Reading `WebSocket` makes Node
// load its whole fetch, which slows down each start.
module.exports = process.getBuiltinModule('node:http');
