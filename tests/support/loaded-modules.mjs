// node --import this file: writes the address of each module that is loaded, and contains LOADED_MODULES_WITH, to the file
// LOADED_MODULES.
import { register } from 'node:module'

const hooks = `
import { appendFileSync } from 'node:fs'
export async function load(url, context, nextLoad) {
  if (url.includes(process.env.LOADED_MODULES_WITH)) appendFileSync(process.env.LOADED_MODULES, url + '\\n')
  return nextLoad(url, context)
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
