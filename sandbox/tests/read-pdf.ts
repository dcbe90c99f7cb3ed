import { inflateSync } from 'node:zlib'

/** The lines of text in a PDF that uses only the standard fonts. */
export async function readPdf(answer: Response): Promise<string[]> {
  const file = Buffer.from(await answer.arrayBuffer()).toString('latin1')
  const streams = Array.from(file.matchAll(/stream\n([^]*?)\nendstream/g), ([, stream]) =>
    inflateSync(Buffer.from(stream!, 'latin1')).toString('latin1'),
  )
  return Array.from(streams.join('\n').matchAll(/<([\dA-F]*)> Tj/g), ([, hex]) =>
    Buffer.from(hex!, 'hex').toString('latin1'),
  )
}
