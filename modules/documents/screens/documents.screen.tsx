import { whyNot } from '#contract/access.ts'
import { allows, isSold } from '#contract/entitlements.ts'
import { FilePlus, FileText } from 'lucide-react'
import { useAction } from '../../../client/api/call.ts'
import { usePagedCall } from '../../../client/api/queries.ts'
import { useSession } from '../../../client/api/session.ts'
import { Ago } from '../../../client/components/ago.tsx'
import { ButtonLink, TextLink } from '../../../client/components/button.tsx'
import { DownloadButton } from '../../../client/components/download-button.tsx'
import { LiveProblem, Message } from '../../../client/components/message.tsx'
import { PagedList } from '../../../client/components/paged-list.tsx'
import { PageTitle } from '../../../client/components/page-title.tsx'
import { rowLink, type Column } from '../../../client/components/table.tsx'
import { usePages, useSearch } from '../../../client/components/use-query.ts'
import { UsageMeters } from '../../../client/layouts/usage.tsx'
import { useProject } from '../../../client/layouts/use-project.ts'
import { useFormat } from '../../../client/platform/format.ts'
import { useT } from '../../../client/platform/i18n.ts'
import { datedFileName, saveFile } from '../../../client/platform/save-file.ts'
import { editors, type DocumentInList } from '../contract.ts'

export function Documents() {
  const t = useT()
  const { user } = useSession()
  const { subscription, subscriptionId, name, closed, pathTo } = useProject()
  const pages = usePages()
  const search = useSearch()
  const found = usePagedCall('listDocuments', { subscriptionId, search: search.search }, pages)
  const { busy, error, run } = useAction('exportDocuments')
  const mayDownload = allows(subscription, 'documentExport')
  const isUnused = found.data?.total === 0 && !search.search
  const newDocument = !whyNot(editors, user.uid, subscription) && (
    <ButtonLink to={pathTo('document')} variant="primary" icon={<FilePlus />}>
      {t('documents.new')}
    </ButtonLink>
  )

  function download() {
    void run({ subscriptionId }, ({ documents }) => {
      const file = datedFileName(`${name} ${t('documents.title')}`, 'json')
      saveFile(file, JSON.stringify(documents, null, 2), 'application/json')
    })
  }

  return (
    <>
      <PageTitle
        title={t('documents.title')}
        action={
          !isUnused && (
            <div className="flex flex-wrap gap-2">
              {mayDownload && (
                <DownloadButton
                  format="json"
                  label={t('documents.downloadAll')}
                  busy={busy}
                  onClick={download}
                />
              )}
              {newDocument}
            </div>
          )
        }
      >
        <div className="mt-2 max-w-80 empty:hidden">
          <UsageMeters of={['documents']} />
        </div>
      </PageTitle>
      <LiveProblem error={error} failed="documents.downloadFailed" />
      {closed && <Message tone="neutral">{t(closed)}</Message>}
      <PagedList
        title={t('documents.title')}
        search={{ ...search, label: t('documents.search') }}
        found={found}
        rows={found.data?.documents}
        pages={pages}
        columns={useColumns()}
        folded="narrow:grid-cols-[minmax(0,1fr)_auto]"
        failed="documents.loadFailed"
        noMatch={
          search.search && {
            title: t('documents.noMatchTitle', { search: search.search }),
            text: t('documents.noMatch'),
          }
        }
        empty={{
          icon: <FileText />,
          title: t('documents.emptyTitle'),
          text: t('documents.empty'),
          action: newDocument,
        }}
      />
      {!isUnused && !mayDownload && isSold('documentExport') && (
        <p className="text-small text-soft">
          {t('usage.notIncluded', { feature: t('documents.features.export') })}
        </p>
      )}
    </>
  )
}

function useColumns(): Column<DocumentInList>[] {
  const t = useT()
  const format = useFormat()
  const { pathTo } = useProject()
  return [
    {
      title: 'documents.name',
      cell: ({ id, title }) => (
        <TextLink to={`${pathTo('document')}?document=${id}`} className={rowLink}>
          <span className="wrap-anywhere">{title}</span>
        </TextLink>
      ),
    },
    {
      title: 'documents.changedBy',
      look: 'text-soft wrap-anywhere',
      folded: 'narrow:row-start-2 narrow:text-small',
      cell: ({ updated_by }) => updated_by?.name ?? t('activity.deleted'),
    },
    {
      title: 'documents.changed',
      look: 'text-soft',
      folded: 'narrow:row-start-2 narrow:text-end narrow:text-small',
      cell: ({ updated }) => <Ago at={updated} />,
    },
    {
      title: 'documents.size',
      end: true,
      look: 'text-soft whitespace-nowrap',
      folded: 'narrow:col-start-2 narrow:row-start-1 narrow:text-small',
      cell: ({ bytes }) => format.size(bytes),
    },
  ]
}
