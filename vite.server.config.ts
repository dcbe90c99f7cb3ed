import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig } from 'vite'

const commit = findCommit()

/** Bundles the server. vite.commands.config.ts bundles the operator's commands. */
export default bundled(['server/main.ts'], 'dist/server')

/** Bundles programs and their packages; what they read at run time stands beside the bundle. */
export function bundled(programs: string[], outDir: string) {
  return defineConfig({
    publicDir: false,
    define: commit ? { COMMIT: JSON.stringify(commit) } : {},
    ssr: { noExternal: true, external: ['@node-rs/argon2', 'pg-native'] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node24',
      // Drizzle knows a pool by the name of its class.
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: [...programs, 'server/providers/identity/hash-worker.ts'],
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
          await cp('server/migrate/migrations', join(dir, 'migrations'), { recursive: true })
          for (const folder of globSync('modules/*/migrations'))
            await cp(folder, join(dir, folder), { recursive: true })
          await cp('sandbox/pages/assets', join(dir, 'assets'), { recursive: true })
        },
      },
    ],
  })
}

/** The commit that is built, marked if files differ from it. None where there is no Git. */
function findCommit() {
  try {
    const args = ['describe', '--always', '--dirty', '--exclude=*']
    return execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return undefined
  }
}
