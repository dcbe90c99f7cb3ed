import { globSync } from 'node:fs'
import { mergeConfig, type Plugin } from 'vite'
import { bundled } from './vite.server.config.ts'

const programs = globSync('operate/commands/*.ts', { exclude: ['**/*.test.ts', '**/run-tool.ts'] })

/** Bundles the operator's commands. They have a bundle of their own so that the server's stays small. */
export default mergeConfig(bundled(programs, 'dist/commands'), { plugins: [areEntries()] })

/** A program that another one imports is moved to a chunk, where `import.meta.main` is false. */
function areEntries(): Plugin {
  return {
    name: 'are-entries',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.isEntry) continue
        if (chunk.moduleIds.includes(chunk.facadeModuleId!)) continue
        this.error(
          `${chunk.facadeModuleId} is a program, and another one imports it. Move what they share into a file of its own.`,
        )
      }
    },
  }
}
