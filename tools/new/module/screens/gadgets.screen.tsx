import { whyNot } from '#contract/access.ts'
import { Plus, Shapes } from 'lucide-react'
import { usePagedCall } from '../../../client/api/queries.ts'
import { useSession } from '../../../client/api/session.ts'
import { Ago } from '../../../client/components/ago.tsx'
import { ButtonLink, TextLink } from '../../../client/components/button.tsx'
import { Message } from '../../../client/components/message.tsx'
import { PagedList } from '../../../client/components/paged-list.tsx'
import { PageTitle } from '../../../client/components/page-title.tsx'
import { rowLink, type Column } from '../../../client/components/table.tsx'
import { usePages, useSearch } from '../../../client/components/use-query.ts'
import { UsageMeters } from '../../../client/layouts/usage.tsx'
import { useProject } from '../../../client/layouts/use-project.ts'
import { useT } from '../../../client/platform/i18n.ts'
import { editors, type Gadget as Shown } from '../contract.ts'

export function GadgetsScreen() {
  const t = useT()
  const { user } = useSession()
  const { subscription, subscriptionId, closed, pathTo } = useProject()
  const pages = usePages()
  const search = useSearch()
  const found = usePagedCall('listGadgets', { subscriptionId, search: search.search }, pages)
  const isUnused = found.data?.total === 0 && !search.search
  const adding = !whyNot(editors, user.uid, subscription) && (
    <ButtonLink to={pathTo('gadget')} variant="primary" icon={<Plus />}>
      {t('gadgets.new')}
    </ButtonLink>
  )

  return (
    <>
      <PageTitle title={t('gadgets.title')} action={!isUnused && adding}>
        <div className="mt-2 max-w-80 empty:hidden">
          <UsageMeters of={['gadgets']} />
        </div>
      </PageTitle>
      {closed && <Message tone="neutral">{t(closed)}</Message>}
      <PagedList
        title={t('gadgets.title')}
        search={{ ...search, label: t('gadgets.search') }}
        found={found}
        rows={found.data?.gadgets}
        pages={pages}
        columns={useColumns()}
        folded="narrow:grid-cols-[minmax(0,1fr)_auto]"
        failed="gadgets.loadFailed"
        noMatch={
          search.search && {
            title: t('gadgets.noMatchTitle', { search: search.search }),
            text: t('gadgets.noMatch'),
          }
        }
        empty={{
          icon: <Shapes />,
          title: t('gadgets.emptyTitle'),
          text: t('gadgets.empty'),
          action: adding,
        }}
      />
    </>
  )
}

function useColumns(): Column<Shown>[] {
  const t = useT()
  const { pathTo } = useProject()
  return [
    {
      title: 'gadgets.name',
      folded: 'narrow:col-span-2',
      cell: ({ id, name }) => (
        <TextLink to={`${pathTo('gadget')}?gadget=${id}`} className={rowLink}>
          <span className="wrap-anywhere">{name}</span>
        </TextLink>
      ),
    },
    {
      title: 'gadgets.changedBy',
      look: 'text-soft wrap-anywhere',
      folded: 'narrow:row-start-2 narrow:text-small',
      cell: ({ updated_by }) => updated_by?.name ?? t('activity.deleted'),
    },
    {
      title: 'gadgets.changed',
      look: 'text-soft',
      folded: 'narrow:row-start-2 narrow:text-end narrow:text-small',
      cell: ({ updated }) => <Ago at={updated} />,
    },
  ]
}
