import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { chunkGroups } from './scripts/chunk-groups.ts'
import { inlineCopy } from './scripts/inline-copy.ts'
import { preloadHelper } from './scripts/preload-helper.ts'
import { slimRouter } from './scripts/slim-router.ts'

export default defineConfig(({ isSsrBuild }) => {
  const chunks = chunkGroups()
  return {
    plugins: [
      tailwindcss(),
      reactRouter(),
      chunks.plugin,
      ...(isSsrBuild ? [] : [inlineCopy(), slimRouter(), preloadHelper()]),
    ],
    build: {
      target: 'es2023',
      // A font or picture inlined as data: would be refused by the content security policy.
      assetsInlineLimit: 0,
      // The server writes rules of the sheet into pages.
      cssMinify: true,
      rolldownOptions: isSsrBuild
        ? { input: './src/main.server.ts' }
        : { output: { codeSplitting: { groups: chunks.groups } } },
    },
  }
})
