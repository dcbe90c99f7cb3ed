import { cp } from 'node:fs/promises'
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
      input: [
        'server/main.ts',
        'server/providers/identity/hash-worker.ts',
        'deploy/cloud-functions/function.ts',
      ],
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        // V8 keeps the source in memory, with two bytes a character if any needs them.
        minify: {
          compress: false,
          mangle: false,
          codegen: { removeWhitespace: false, asciiOnly: true },
        },
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
  },
  plugins: [
    {
      name: 'copy-files',
      async writeBundle({ dir = '' }) {
        await cp('server/store/migrations', join(dir, 'migrations'), { recursive: true })
        await cp('sandbox/pages/assets', join(dir, 'assets'), { recursive: true })
      },
    },
  ],
})
