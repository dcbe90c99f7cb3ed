import { shown } from '../../server/platform/terminal.ts'

/** How much was read or written, and of which table. */
export type Progress = ReturnType<typeof openProgress>

const megabyte = 1_000_000

/** Tells people what is going on: a terminal has one line that changes, a log a line now and then. */
export function openProgress(doing: string, out: NodeJS.WriteStream = process.stderr) {
  const every = out.isTTY ? 100 : 10_000
  let bytes = 0
  let toldAt = performance.now()
  return {
    count(added: number, table: string) {
      bytes += added
      if (performance.now() - toldAt < every) return
      toldAt = performance.now()
      const line = `${doing}: ${(bytes / megabyte).toFixed(0)} MB, ${shown(table)}`
      out.write(out.isTTY ? `\r\u001B[K${line}` : `${line}\n`)
    },
    end() {
      if (out.isTTY) out.write('\r\u001B[K')
    },
  }
}
