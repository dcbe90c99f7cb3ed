import { someone } from '#contract/entities.ts'
import {
  epochSeconds,
  field,
  id,
  object,
  oneLine,
  paged,
  search,
  severalLines,
  subscriptionId,
  timestamp,
  total,
} from '#contract/fields.ts'
import { aborted, inProject, member, notFound, read, write } from '#contract/rows.ts'
import * as z from 'zod/mini'
import type words from './words/en.json'

declare module '#locales/keys.ts' {
  interface ModuleWords {
    documents: typeof words
  }
}

/** Characters of a title and of a text. */
export const lengths = { title: 200, text: 20_000 }

const text = z.string()
const ofDocument = {
  id: field('The id of the document.', text),
  title: field('The title.', text),
  created: field('When it was written.', epochSeconds),
  updated: field('When it was last changed, or else when it was created.', timestamp),
  updated_by: field('Who changed it last; null if the account is deleted.', z.nullable(someone)),
  bytes: field('What it takes of the storage of the plan.', z.int()),
}
export const documentInList = object('A document in a list.', ofDocument)
export const document = object('A document.', {
  ...ofDocument,
  text: field('The text, in lines.', text),
  created_by: field('Who wrote it; null if the account is deleted.', z.nullable(someone)),
})
export type DocumentInList = z.output<typeof documentInList>
export type Document = z.output<typeof document>

/** Who may change documents. The screens ask too. */
export const editors = { needs: { permissions: ['editor'] }, onlyActive: true } as const
const documentId = field('The id of the document.', id)
const content = {
  title: field(
    'The title, in one line.',
    z.string().check(z.trim(), z.minLength(1), z.maxLength(lengths.title), oneLine),
  ),
  text: field('The text.', z.string().check(z.maxLength(lengths.text), severalLines)),
}

export const calls = {
  listDocuments: read(member, 'Lists documents, those that were changed last first.', {
    input: { subscriptionId, ...paged, search },
    answer: { documents: z.array(documentInList), total },
    tokens: 'read',
  }),
  getDocument: read(member, 'Reads a document.', {
    input: { subscriptionId, documentId },
    answer: { document },
    refusals: ['documentNotFound'],
    tokens: 'read',
  }),
  createDocument: write(editors, 'Makes a document.', {
    input: { subscriptionId, ...content },
    answer: { documentId: field('The id of the document.', text) },
    refusals: ['limitReached'],
    tokens: 'write',
  }),
  updateDocument: write(editors, 'Changes a document.', {
    input: {
      subscriptionId,
      documentId,
      ...content,
      ifUnchangedSince: field(
        'The `updated` that the caller has seen. If it has changed since, the call is refused.',
        z.optional(timestamp),
      ),
    },
    refusals: ['documentNotFound', 'documentChanged', 'limitReached'],
    tokens: 'write',
  }),
  deleteDocument: write(editors, 'Deletes a document.', {
    input: { subscriptionId, documentId },
    refusals: ['documentNotFound'],
    tokens: 'write',
  }),
  exportDocuments: read({ ...member, streamed: true }, 'Reads every document of the project.', {
    input: { subscriptionId },
    answer: { documents: z.array(document) },
    refusals: ['notInPlan'],
    tokens: 'read',
  }),
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
