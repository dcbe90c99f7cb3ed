import { useId } from 'react'
import { Select } from '../../components/select-field.tsx'
import { useChoice } from '../../components/use-choice.ts'
import { useT } from '../../i18n.ts'

const sorts = ['newest', 'name'] as const

/** The order of the projects, and the field that chooses it. */
export function useProjectSort() {
  const t = useT()
  const id = useId()
  const [sort = 'newest', choose] = useChoice('sort', sorts)
  const field = (
    <div className="ms-auto flex items-center gap-2">
      <label htmlFor={id} className="text-small text-soft">
        {t('dashboard.sort')}
      </label>
      <Select
        id={id}
        value={sort}
        onChange={({ target }) => choose(target.value === 'name' ? 'name' : undefined)}
        className="min-h-9!"
      >
        {sorts.map((sort) => (
          <option key={sort} value={sort}>
            {t(`dashboard.sorts.${sort}`)}
          </option>
        ))}
      </Select>
    </div>
  )
  return { sort, field }
}
