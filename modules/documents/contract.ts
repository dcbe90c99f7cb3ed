import type { EpochSeconds, Timestamp } from '#contract/entities.ts'
import {
  id,
  oneLine,
  paged,
  search,
  severalLines,
  subscriptionId,
  timestamp,
} from '#contract/fields.ts'
import { aborted, gives, inProject, member, notFound, read, write } from '#contract/rows.ts'
import * as z from 'zod/mini'
import type words from './words/en.json'

declare module '#locales/keys.ts' {
  interface ModuleWords {
    documents: typeof words
  }
}

/** Characters of a title and of a text. */
export const lengths = { title: 200, text: 20_000 }

type Someone = { id: string; name: string }

export type DocumentInList = {
  id: string
  title: string
  created: EpochSeconds
  /** When it was last changed, or else when it was created. */
  updated: Timestamp
  /** Who changed it last; null if the account is deleted. */
  updated_by: Someone | null
  /** What it takes of the plan's storage. */
  bytes: number
}
export type Document = DocumentInList & { text: string; created_by: Someone | null }

/** Who may change documents. The screens ask too. */
export const editors = { needs: { permissions: ['editor'] }, onlyActive: true } as const
const content = {
  title: z.string().check(z.trim(), z.minLength(1), z.maxLength(lengths.title), oneLine),
  text: z.string().check(z.maxLength(lengths.text), severalLines),
}

export const calls = {
  /** Those that were changed last come first. `search`: a part of the title. */
  listDocuments: read(
    member,
    { subscriptionId, ...paged, search },
    gives<{ documents: DocumentInList[]; total: number }>(),
  ),
  getDocument: read(member, { subscriptionId, documentId: id }, gives<{ document: Document }>()),
  createDocument: write(editors, { subscriptionId, ...content }, gives<{ documentId: string }>()),
  /** `ifUnchangedSince`: the `updated` that the caller has seen. */
  updateDocument: write(editors, {
    subscriptionId,
    documentId: id,
    ...content,
    ifUnchangedSince: z.optional(timestamp),
  }),
  deleteDocument: write(editors, { subscriptionId, documentId: id }),
  /** Every document of the project. For plans with `documentExport`. */
  exportDocuments: read(
    { ...member, streamed: true },
    { subscriptionId },
    gives<{ documents: Document[] }>(),
  ),
}

export const screens = {
  documents: inProject('/documents', 'member', {
    title: 'documents.title',
    icon: 'documents',
    menu: true,
  }),
  /** `?document=` names one; without it, the screen makes a new one. */
  document: inProject('/documents/document', 'member', { parent: 'documents' }),
}

export const refusals = {
  documentNotFound: notFound('There is no such document in the project.'),
  /** `details`: the `document` as it is now. */
  documentChanged: aborted('Somebody else has changed the document meanwhile.'),
}

export const activityKinds = ['documentCreated', 'documentChanged', 'documentDeleted'] as const

export const liveNames = ['documents'] as const

export const features = { documentExport: { label: 'documents.features.export' } } as const

export const limits = {
  documents: { label: 'documents.limits.documents', unit: 'count' },
  documentStorage: { label: 'documents.limits.storage', unit: 'bytes' },
} as const
