import type { ActivityArea } from '#contract/activity.ts'
import { ChevronDown } from 'lucide-react'
import { classes } from '../../components/classes.ts'
import { controlLook } from '../../components/field.tsx'
import { useT } from '../../i18n.ts'

type AreaSelectProps = {
  areas: readonly ActivityArea[]
  area: ActivityArea | undefined
  onChoose: (area: ActivityArea | undefined) => void
  className?: string
}

export function AreaSelect({ areas, area, onChoose, className }: AreaSelectProps) {
  const t = useT()
  return (
    <div className={classes('relative', className)}>
      <select
        aria-label={t('activity.area')}
        value={area ?? ''}
        onChange={({ target }) => onChoose(areas.find((area) => area === target.value))}
        className={classes(controlLook, 'min-h-9! appearance-none pe-9')}
      >
        <option value="">{t('activity.areas.all')}</option>
        {areas.map((area) => (
          <option key={area} value={area}>
            {t(`activity.areas.${area}`)}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute end-3 top-1/2 size-4 -translate-y-1/2 text-soft"
      />
    </div>
  )
}
