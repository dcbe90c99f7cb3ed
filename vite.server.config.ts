import { cp, glob } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig } from 'vite'

/** Bundles the server and its packages; what they read at run time stands beside the bundle. */
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true, external: ['@node-rs/argon2', 'pg-native'] },
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node24',
    // Drizzle knows a pool by the name of its class.
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['server/main.ts', 'server/providers/identity/hash-worker.ts'],
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
  plugins: [
    {
      name: 'copy-files',
      async writeBundle() {
        await cp('server/store/migrations', 'dist/server/migrations', { recursive: true })
        await cp('sandbox/pages/assets', 'dist/server/assets', { recursive: true })
        for await (const file of glob('*.json', { cwd: 'locales' }))
          await cp(join('locales', file), join('dist/server', file))
      },
    },
  ],
})
