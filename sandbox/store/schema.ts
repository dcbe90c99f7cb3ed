import { randomLetters } from '../objects/new-object.ts'
import type { Runner } from './tx.ts'

/**
 * Creates missing tables, but alters none. Servers that start at once do this in turn. If nothing
 * is missing, it needs no right to create tables.
 */
export async function createSchema(runner: Runner) {
  // PostgreSQL runs the statements of one query in one transaction.
  if (await isMissingSome(runner))
    await runner.query(`select pg_advisory_xact_lock(hashtext('sandbox.schema')); ${tables}`)
  await runner.query(firstRows(`acct_sandbox${randomLetters(12)}`))
}

async function isMissingSome(runner: Runner) {
  const names = Array.from(
    tables.matchAll(/create (?:table|index|sequence) if not exists (?:sandbox\.)?(\w+)/g),
    ([, name]) => `sandbox.${name}`,
  )
  const { rows } = await runner.query<{ missing: boolean }>(
    'select bool_or(to_regclass(name) is null) missing from unnest($1::text[]) name',
    [names],
  )
  return rows[0]!.missing
}

const tables = `
create schema if not exists sandbox;

create table if not exists sandbox.objects (
  id text primary key,
  seq bigint generated always as identity,
  body jsonb not null,
  due_at bigint,
  type text generated always as (body->>'object') stored,
  customer text generated always as (body->>'customer') stored,
  subscription text generated always as (coalesce(body->>'subscription', body#>>'{parent,subscription_details,subscription}')) stored
);
create index if not exists objects_by_type on sandbox.objects (type, seq);
create index if not exists objects_by_customer on sandbox.objects (customer, type, seq);
create index if not exists objects_by_subscription on sandbox.objects (subscription, type, seq);
create index if not exists objects_due on sandbox.objects (due_at) where due_at is not null;

create table if not exists sandbox.deliveries (
  event text primary key references sandbox.objects (id),
  attempts int not null default 0,
  next_attempt_at bigint,
  delivered_at bigint
);
create index if not exists deliveries_due on sandbox.deliveries (next_attempt_at) where next_attempt_at is not null;

create table if not exists sandbox.idempotency_keys (
  key text primary key,
  fingerprint text not null,
  request text not null,
  status int,
  body jsonb,
  created timestamptz not null default now()
);

create table if not exists sandbox.account (
  one boolean primary key default true check (one),
  id text not null
);

create table if not exists sandbox.settings (
  one boolean primary key default true check (one),
  clock_offset bigint not null default 0
);

create table if not exists sandbox.control (
  one boolean primary key default true check (one),
  settings jsonb not null default '{}'
);
create sequence if not exists sandbox.failed_charges;
create sequence if not exists sandbox.failed_requests;
`

const firstRows = (account: string) => `
insert into sandbox.account (id) values ('${account}') on conflict do nothing;
insert into sandbox.settings default values on conflict do nothing;
insert into sandbox.control default values on conflict do nothing;
`
