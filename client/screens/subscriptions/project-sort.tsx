import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { classes } from '../../components/classes.ts'
import { controlLook } from '../../components/field.tsx'
import { useT } from '../../i18n.ts'
import { sorts, type Sort } from './use-project-sort.ts'

export function ProjectSort({ sort, onChoose }: { sort: Sort; onChoose: (sort: Sort) => void }) {
  const t = useT()
  const id = useId()
  return (
    <div className="ms-auto flex items-center gap-2">
      <label htmlFor={id} className="text-small text-soft">
        {t('dashboard.sort')}
      </label>
      <div className="relative">
        <select
          id={id}
          value={sort}
          onChange={({ target }) => onChoose(sorts.find((sort) => sort === target.value)!)}
          className={classes(controlLook, 'min-h-9! appearance-none pe-9')}
        >
          {sorts.map((sort) => (
            <option key={sort} value={sort}>
              {t(`dashboard.sorts.${sort}`)}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden
          className="pointer-events-none absolute end-3 top-1/2 size-4 -translate-y-1/2 text-soft"
        />
      </div>
    </div>
  )
}
