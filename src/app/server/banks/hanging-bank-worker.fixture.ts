import './bank-worker.server.ts'

/** The real worker, which hangs once it has begun to read the import that HANGING_IMPORT names: it spins, as an endless loop of a reader would. */
const send = process.send?.bind(process)
let importId = ''
process.on('message', (message: { readonly kind: string; readonly importId?: string }) => {
  importId = message.importId ?? ''
})
process.send = (message: { readonly kind: string }) => {
  send?.(message)
  while (message.kind === 'step' && importId === process.env['HANGING_IMPORT']);
  return true
}
