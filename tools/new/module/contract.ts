import { someone } from '#contract/entities.ts'
import {
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
    gadgets: typeof words
  }
}

/** Characters of a name and of a note. */
export const lengths = { name: 100, note: 2000 }

export const gadget = object('A gadget.', {
  id: field('The id of the gadget.', z.string()),
  name: field('What people call it.', z.string()),
  note: field('What they say about it.', z.string()),
  updated: field('When it was last changed, or else when it was created.', timestamp),
  updated_by: field('Who changed it last; null if the account is deleted.', z.nullable(someone)),
})
export type Gadget = z.output<typeof gadget>

/** Who may change something. The screens ask too. */
export const editors = { needs: { permissions: ['editor'] }, onlyActive: true } as const
const gadgetId = field('The id of the gadget.', id)
const content = {
  name: field(
    'What people call it, in one line.',
    z.string().check(z.trim(), z.minLength(1), z.maxLength(lengths.name), oneLine),
  ),
  note: field('What they say about it.', z.string().check(z.maxLength(lengths.note), severalLines)),
}

export const calls = {
  listGadgets: read(member, 'Lists gadgets, those that were changed last first.', {
    input: { subscriptionId, ...paged, search },
    answer: { gadgets: z.array(gadget), total },
    tokens: 'read',
  }),
  getGadget: read(member, 'Reads a gadget.', {
    input: { subscriptionId, gadgetId },
    answer: { gadget },
    refusals: ['gadgetNotFound'],
    tokens: 'read',
  }),
  createGadget: write(editors, 'Makes a gadget.', {
    input: { subscriptionId, ...content },
    answer: { gadgetId: field('The id of the gadget.', z.string()) },
    refusals: ['limitReached'],
    tokens: 'write',
  }),
  updateGadget: write(editors, 'Changes a gadget.', {
    input: {
      subscriptionId,
      gadgetId,
      ...content,
      ifUnchangedSince: field(
        'The `updated` that the caller has seen. If it has changed since, the call is refused.',
        z.optional(timestamp),
      ),
    },
    refusals: ['gadgetNotFound', 'gadgetChanged'],
    tokens: 'write',
  }),
  deleteGadget: write(editors, 'Deletes a gadget.', {
    input: { subscriptionId, gadgetId },
    refusals: ['gadgetNotFound'],
    tokens: 'write',
  }),
}

export const screens = {
  gadgets: inProject('/gadgets', 'member', {
    title: 'gadgets.title',
    icon: 'gadgets',
    menu: true,
  }),
  /** `?gadget=` names one; without it, the screen makes a new one. */
  gadget: inProject('/gadgets/gadget', 'member', { parent: 'gadgets' }),
}

export const refusals = {
  gadgetNotFound: notFound('The project has no such gadget.'),
  /** `details`: the `gadget` as it is now. */
  gadgetChanged: aborted('Somebody else has changed the gadget meanwhile.'),
}

export const activityKinds = ['gadgetCreated', 'gadgetChanged', 'gadgetDeleted'] as const

export const liveNames = ['gadgets'] as const

export const limits = {
  gadgets: { label: 'gadgets.limits.gadgets', unit: 'count' },
} as const
