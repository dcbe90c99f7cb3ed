import { endOfRows } from './format.ts'
import { Damaged } from './seal.ts'

const newline = '\n'.charCodeAt(0)
const end = Buffer.from(`${endOfRows}\n`)
const endAfterRow = Buffer.from(`\n${endOfRows}\n`)

/** The longest line that is read, in bytes, and the longest row. Both are far beyond what we write. */
const longest = { line: 4 * 1024 ** 2, row: 128 * 1024 ** 2 }

/** Reads a text piece by piece: lines, and the rows of tables. */
export function openTextReader(text: AsyncIterable<Buffer>) {
  const pieces = text[Symbol.asyncIterator]()
  /** Begins at the beginning of a line. */
  let rest: Buffer = Buffer.alloc(0)

  /** Reads the rest of a line. False at the end of the text. */
  async function readOn(most: number) {
    const read = [rest]
    for (let length = rest.length; length <= most;) {
      const { value, done } = await pieces.next()
      if (done) return false
      read.push(value)
      length += value.length
      if (!value.includes(newline)) continue
      rest = Buffer.concat(read)
      return true
    }
    throw new Damaged()
  }

  function take(bytes: number) {
    const taken = rest.subarray(0, bytes)
    rest = rest.subarray(bytes)
    return taken
  }

  return {
    async line() {
      if (!rest.includes(newline) && !(await readOn(longest.line))) throw new Damaged()
      return take(rest.indexOf(newline) + 1)
        .toString()
        .slice(0, -1)
    },

    /** The rows up to the line that ends them, in whole lines. */
    async *rows() {
      for (;;) {
        if (rest.subarray(0, end.length).equals(end)) return void take(end.length)
        const last = rest.indexOf(endAfterRow)
        const whole = last < 0 ? rest.lastIndexOf(newline) : last
        if (whole >= 0) yield take(whole + 1)
        else if (!(await readOn(longest.row))) throw new Damaged()
      }
    },

    /** Reads what is left, which must be nothing. */
    async end() {
      const { done } = await pieces.next()
      if (rest.length > 0 || !done) throw new Damaged()
    },
  }
}
