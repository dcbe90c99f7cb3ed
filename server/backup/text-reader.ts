import { endOfRows } from './format.ts'
import { Damaged } from './seal.ts'

const newline = '\n'.charCodeAt(0)
const end = Buffer.from(`${endOfRows}\n`)
const endAfterRow = Buffer.from(`\n${endOfRows}\n`)

/** Reads a text piece by piece: lines, and the rows of tables. */
export function openTextReader(text: AsyncIterable<Buffer>) {
  const pieces = text[Symbol.asyncIterator]()
  /** Begins at the beginning of a line. */
  let rest: Buffer = Buffer.alloc(0)

  async function readOn() {
    const { value, done } = await pieces.next()
    if (!done) rest = Buffer.concat([rest, value])
    return !done
  }

  function take(bytes: number) {
    const taken = rest.subarray(0, bytes)
    rest = rest.subarray(bytes)
    return taken
  }

  return {
    async line() {
      while (!rest.includes(newline)) if (!(await readOn())) throw new Damaged()
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
        else if (!(await readOn())) throw new Damaged()
      }
    },

    /** Reads what is left, which must be nothing. */
    async end() {
      if (rest.length > 0 || (await readOn())) throw new Damaged()
    },
  }
}
