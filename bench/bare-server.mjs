// The machine's limit: bare node:http that serves the bytes of the given file.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const body = readFileSync(process.argv[2])
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-encoding': 'br',
  'content-length': body.byteLength,
}
const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://localhost:${server.address().port}\n`))
