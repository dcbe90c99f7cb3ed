import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../../scripts/install.mjs'

/** What can't be made. The message is a sentence that says why. */
export class Unfit extends Error {}

/** Files that are changed together: nothing is written before everything is known to fit. */
export function openFiles() {
  const changed = new Map<string, string>()

  function read(file: string) {
    return changed.get(file) ?? readFileSync(join(root, file), 'utf8')
  }

  /** Replaces a line that is there. */
  function replace(file: string, line: string, by: string) {
    const text = read(file)
    if (!text.includes(`\n${line}\n`))
      throw new Unfit(`${file} has no line “${line.trim()}”, beside which this would stand: ${by}`)
    changed.set(
      file,
      text.replace(`\n${line}\n`, () => `\n${by}\n`),
    )
  }

  return {
    read,
    has: (file: string) => changed.has(file) || existsSync(join(root, file)),
    put: (file: string, text: string) => void changed.set(file, text),
    putAbove: (file: string, line: string, text: string) => replace(file, line, `${text}\n${line}`),
    putBelow: (file: string, line: string, text: string) => replace(file, line, `${line}\n${text}`),

    /** Imports names, unless the file does already. */
    take(file: string, names: string[], from: string) {
      const text = read(file)
      const list = new RegExp(`^import \\{([^}]*)\\} from '${from.replaceAll('.', '\\.')}'$`, 'm')
      const taken =
        list
          .exec(text)?.[1]!
          .split(',')
          .map((name) => name.trim()) ?? []
      const all = [...new Set([...taken.filter(Boolean), ...names])].join(', ')
      const line = `import { ${all} } from '${from}'`
      changed.set(file, taken.length > 0 ? text.replace(list, line) : `${line}\n${text}`)
    },

    /** Puts a text below its key, such as `mails.boats.sold.subject`. */
    say(file: string, key: string, text: string) {
      const all = JSON.parse(read(file)) as object
      const path = key.split('.')
      const last = path.pop()!
      let place = all as Record<string, unknown>
      for (const step of path) place = (place[step] ??= {}) as Record<string, unknown>
      if (typeof place !== 'object' || last in place)
        throw new Unfit(`${file} has other words at ${key} already.`)
      place[last] = text
      changed.set(file, JSON.stringify(all, null, 2))
    },

    /** Writes and formats them. Returns their names. */
    write() {
      const files = [...changed.keys()]
      for (const [file, text] of changed) {
        mkdirSync(dirname(join(root, file)), { recursive: true })
        writeFileSync(join(root, file), text)
      }
      const oxfmt = join(root, 'node_modules', '.bin', 'oxfmt')
      const { status } = spawnSync(oxfmt, files, {
        cwd: root,
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      if (status !== 0) throw new Unfit('The files are written, but could not be formatted.')
      return files
    },
  }
}

export type Files = ReturnType<typeof openFiles>
