import { activityAreas } from '#contract/activity.ts'
import { paths } from '#contract/paths.ts'
import { product } from '#config/product.ts'
import { usePagedCall } from '../../api/queries.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { usePages } from '../../components/use-pages.ts'
import { useT } from '../../i18n.ts'
import { ActivityList } from './activity-list.tsx'
import { AreaSelect } from './area-select.tsx'
import { daysKept } from './days-kept.ts'
import { useDownloads } from './downloads.tsx'
import { useActivityColumns } from './use-activity-columns.tsx'
import { useArea } from './use-area.ts'

export function OwnActivity() {
  const t = useT()
  const pages = usePages()
  const { area, choose } = useArea()
  const columns = useActivityColumns({ own: true })
  const { buttons, problem } = useDownloads({ name: `${product.name} ${t('activity.title')}` })
  const found = usePagedCall('listOwnActivity', { ...(area && { area }) }, pages)
  return (
    <>
      <PageTitle title={t('activity.ownTitle')} action={buttons}>
        <p className="mt-1.5 text-soft">{t('activity.ownIntro', { count: daysKept })}</p>
      </PageTitle>
      {problem}
      <ActivityList
        caption={t('activity.ownTitle')}
        columns={columns}
        filters={
          <AreaSelect
            areas={activityAreas}
            area={area}
            onChoose={choose}
            className="w-full sm:w-44"
          />
        }
        found={found}
        pages={pages}
        isFiltered={area !== undefined}
        noMatch={t('activity.noOwnMatch')}
        onShowAll={() => choose(undefined)}
      />
      <p>
        <TextLink to={paths.profile}>{t('activity.backToProfile')}</TextLink>
      </p>
    </>
  )
}
