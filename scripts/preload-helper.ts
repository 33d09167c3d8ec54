import type { Plugin } from 'vite'

const HELPER = '\0vite/preload-helper.js'

/**
 * What loads a file with the files that it imports. Vite's own also waits for style sheets and nonces, which the shop's files don't have;
 * browsers do not load a module twice.
 */
export function preloadHelper(): Plugin {
  return {
    name: 'altocert:preload-helper',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      return id === HELPER
        ? `export const __vitePreload = (load, files = []) => {
            for (const file of files) {
              const link = document.createElement('link')
              link.rel = 'modulepreload'
              link.href = '/' + file
              document.head.append(link)
            }
            return load()
          }`
        : null
    },
  }
}
