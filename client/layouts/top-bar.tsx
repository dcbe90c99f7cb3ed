import { Suspense, type ComponentType } from 'react'
import { later } from '../platform/later.ts'

/** What modules put into the top bar: each the only export of its file, in a chunk of its own. */
const files = import.meta.glob<Record<string, ComponentType>>([
  '../../modules/*/screens/top-bar.tsx',
])

const items = Object.entries(files).map(([file, load]) => {
  const Item = later(async () => {
    const module = await load().catch(() => undefined)
    return module ? Object.values(module)[0]! : () => null
  })
  return { file, Item }
})

/** Keeps their places while they load, or while nobody is known. Without one that fails, the rest works. */
export function TopBarOfModules({ isEmpty = false }: { isEmpty?: boolean }) {
  return items.map(({ file, Item }) => (
    <span key={file} className="size-9 shrink-0 pointer-coarse:size-11">
      <Suspense>{!isEmpty && <Item />}</Suspense>
    </span>
  ))
}
