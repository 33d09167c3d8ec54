import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [tailwindcss(), reactRouter()],
  build: {
    target: 'es2023',
    // A font or picture inlined as data: would be refused by the content security policy.
    assetsInlineLimit: 0,
    ...(isSsrBuild ? { rollupOptions: { input: './src/main.server.ts' } } : {}),
  },
}))
