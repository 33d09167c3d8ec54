// Runs after the server build: bundles the process that reads and writes question banks into build/server.
import { build } from 'vite'

await build({
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  build: {
    ssr: 'src/app/server/banks/bank-worker.server.ts',
    target: 'es2023',
    outDir: 'build/server',
    emptyOutDir: false,
    rollupOptions: { output: { entryFileNames: 'bank-worker.js', chunkFileNames: 'bank-worker-[name].js' } },
  },
})
