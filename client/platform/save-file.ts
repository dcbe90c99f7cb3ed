/** Lets the browser download a text as a file. */
export function saveFile(name: string, text: string, type: string) {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}

/** `bridge-renewal-activity-2026-01-31.csv`, without what a file name can't hold everywhere. */
export function datedFileName(title: string, format: 'csv' | 'json') {
  const name = title
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
    .toLowerCase()
  return `${name}-${new Date().toISOString().slice(0, 10)}.${format}`
}
