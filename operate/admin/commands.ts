import type { Command } from './command.ts'
import { discount } from './discount.ts'
import { dropModule } from './drop-module.ts'
import { find } from './find.ts'
import { importPeople } from './import.ts'
import {
  disable,
  enable,
  endSessions,
  planRemoval,
  remove,
  sendReset,
  unlock,
} from './people-acts.ts'
import { person } from './person.ts'
import { allowWithoutFactor, cancel, refund, transfer } from './project-acts.ts'
import { project } from './project.ts'
import { log, who } from './running.ts'
import { drop, jobs, retry } from './work.ts'

/** All that an operator can ask for and do. */
export const commands: Record<string, Command> = {
  find: {
    takes: ['TEXT'],
    does: 'people and projects with this text in a name, address or id',
    run: find,
  },
  person: {
    takes: ['ADDRESS'],
    does: 'how a person signs in, sessions, projects, limits, mails that wait, activity',
    run: person,
  },
  project: {
    takes: ['ID'],
    does: 'members, our books and the payment provider’s, invoices, events, jobs, activity',
    run: project,
  },
  unlock: { takes: ['ADDRESS'], does: 'forget the wrong passwords and other tries', run: unlock },
  'send-reset': {
    takes: ['ADDRESS'],
    does: 'mail a link to choose a new password',
    run: sendReset,
  },
  'remove-factors': {
    takes: ['ADDRESS'],
    does: 'turn two-step sign-in off a day later, unless a link that is mailed now stops it',
    run: planRemoval,
  },
  'end-sessions': {
    takes: ['ADDRESS'],
    does: 'end all sessions and access tokens',
    run: endSessions,
  },
  disable: { takes: ['ADDRESS'], does: 'end all sessions and refuse new ones', run: disable },
  enable: { takes: ['ADDRESS'], does: 'let a disabled person sign in again', run: enable },
  delete: {
    takes: ['ADDRESS'],
    does: 'delete an account that owns no project',
    final: 'this account and what is its own are gone for good.',
    run: remove,
  },
  cancel: {
    takes: ['ID'],
    does: 'cancel a project: nothing more is charged',
    final: 'the project ends now, for good.',
    run: cancel,
  },
  transfer: {
    takes: ['ID', 'ADDRESS'],
    does: 'make an administrator of the project its owner',
    run: transfer,
  },
  'allow-without-factor': {
    takes: ['ID'],
    does: 'let people open a project without the second factor that its owner asks for',
    run: allowWithoutFactor,
  },
  refund: {
    takes: ['INVOICE', '[AMOUNT]', '[again]'],
    does: 'give back an amount like 5.00 of a paid invoice, or all of it, once a day unless “again”',
    final: 'the money goes back to the payer.',
    run: refund,
  },
  discount: {
    takes: ['ID', 'OFF', '[MONTHS]'],
    does: 'take 20% or 5.00 off what a project pays, for MONTHS or “forever”; 0 for nothing more',
    run: discount,
  },
  import: {
    takes: ['FILE', '[check]'],
    does: 'add people and projects from another system, or only “check” what that would do',
    run: importPeople,
  },
  jobs: {
    takes: ['[STATE]'],
    does: 'jobs and events that failed, or jobs that are running, failed, retrying or waiting',
    run: jobs,
  },
  retry: {
    takes: ['ID'],
    does: 'run a job or an event again now, or “all” that failed',
    run: retry,
  },
  drop: { takes: ['ID'], does: 'give up a job or an event', run: drop },
  'drop-module': {
    takes: ['NAME'],
    does: 'drop the tables of a module that is not there any more',
    final: 'the module’s tables and all that is in them are gone for good.',
    run: dropModule,
  },
  who: { takes: [], does: 'servers that run, and people of the last hour', run: who },
  log: { takes: [], does: 'what operators did', run: log },
}
