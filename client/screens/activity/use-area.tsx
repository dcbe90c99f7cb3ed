import { activityAreas, type ActivityArea } from '#contract/activity.ts'
import { Select } from '../../components/select-field.tsx'
import { useChoice } from '../../components/use-choice.ts'
import { useT } from '../../i18n.ts'

export type Area = ReturnType<typeof useArea>

/** The area that the list of activity is narrowed to, if it is, and the field that chooses it. */
export function useArea(areas: readonly ActivityArea[]) {
  const t = useT()
  const [area, choose] = useChoice('area', activityAreas)
  const input: { area?: ActivityArea } = area ? { area } : {}
  const field = (
    <div className="w-full sm:w-44">
      <Select
        aria-label={t('activity.area')}
        value={area ?? ''}
        onChange={({ target }) => choose(areas.find((area) => area === target.value))}
        className="min-h-9!"
      >
        <option value="">{t('activity.areas.all')}</option>
        {areas.map((area) => (
          <option key={area} value={area}>
            {t(`activity.areas.${area}`)}
          </option>
        ))}
      </Select>
    </div>
  )
  return { input, field, isChosen: area !== undefined, clear: () => choose(undefined) }
}
