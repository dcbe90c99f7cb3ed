import type { Timestamp } from '#contract/entities.ts'
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
    gadgets: typeof words
  }
}

/** Characters of a name and of a note. */
export const lengths = { name: 100, note: 2000 }

export type Gadget = {
  id: string
  name: string
  note: string
  /** When it was last changed, or else when it was created. */
  updated: Timestamp
  /** Who changed it last; null if the account is deleted. */
  updated_by: { id: string; name: string } | null
}

/** Who may change something. The screens ask too. */
export const editors = { needs: { permissions: ['editor'] }, onlyActive: true } as const
const content = {
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(lengths.name), oneLine),
  note: z.string().check(z.maxLength(lengths.note), severalLines),
}

export const calls = {
  /** Those that were changed last come first. `search`: a part of the name. */
  listGadgets: read(
    member,
    { subscriptionId, ...paged, search },
    gives<{ gadgets: Gadget[]; total: number }>(),
  ),
  getGadget: read(member, { subscriptionId, gadgetId: id }, gives<{ gadget: Gadget }>()),
  createGadget: write(editors, { subscriptionId, ...content }, gives<{ gadgetId: string }>()),
  /** `ifUnchangedSince`: the `updated` that the caller has seen. */
  updateGadget: write(editors, {
    subscriptionId,
    gadgetId: id,
    ...content,
    ifUnchangedSince: z.optional(timestamp),
  }),
  deleteGadget: write(editors, { subscriptionId, gadgetId: id }),
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
