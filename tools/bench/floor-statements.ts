/** The floor's named statements. */
export const statements = {
  who: `select u.*, s.id session_id, s.signed_in_at from session_tokens t
    join sessions s on s.id = t.session_id join users u on u.id = s.user_id
    where t.hash = $1 and t.kind = 'access' and t.expires_at > $2`,
  /** Each project has five members, so the people shown with it are all of them. */
  listSubscriptions: `select s.*, (select coalesce(json_agg(json_build_array(m.user_id, m.permissions, u.display_name, u.avatar_url) order by m.created_at, m.user_id), '[]')
      from members m join users u on u.id = m.user_id where m.subscription_id = s.id) held
    from subscriptions s join members mine on mine.subscription_id = s.id and mine.user_id = $1
    where s.status <> 'incomplete' order by s.created_at desc, s.id desc`,
  addEvent: `insert into provider_events (id, type, object_type, object_id, received_at) values ($1, $2, $3, $4, now()) on conflict do nothing`,

  /** The project with what the caller may do there. */
  lock: `select s.*, m.permissions from subscriptions s
    join members m on m.subscription_id = s.id and m.user_id = $2 where s.id = $1 for no key update of s`,
  lockOfInvite: `select s.id, s.status from invites i join subscriptions s on s.id = i.subscription_id
    where i.id = $1 and i.email = $2 for no key update of s`,
  setSettings: `with changed as (update subscriptions set settings = settings || $2::jsonb where id = $1)
    insert into activity (at, kind, subscription_id, actor_id, actor_name, details) values (now(), 'settingsChanged', $1, $3, $4, $5)`,

  /** What an invitation depends on: the seats in use, and who has the address. */
  factsForInvite: `select (select count(*) from members where subscription_id = $1) members,
      (select count(*) from invites where subscription_id = $1 and status = 'pending' and expires_at > now()) pending,
      u.id, u.language, exists (select from members where subscription_id = $1 and user_id = u.id) is_member
    from (select) one left join users u on u.email = $2`,
  addInvite: `with invite as (
      insert into invites (id, subscription_id, email, permissions, status, host_id, code_hash, created_at, expires_at)
      values ($1, $2, $3, $4, 'pending', $5, $6, now(), now() + interval '14 days') on conflict do nothing
    ), entry as (
      insert into activity (at, kind, subscription_id, actor_id, actor_name, subject, details) values (now(), 'inviteSent', $2, $5, $7, $3, $8)
    )
    insert into bare_outbox (kind, payload) values ('sendMail', $9)`,

  factsForAccept: `select i.status, i.permissions, i.expires_at,
      (select count(*) from members where subscription_id = i.subscription_id) members,
      (select count(*) from invites where subscription_id = i.subscription_id and status = 'pending' and expires_at > now()) pending,
      exists (select from members where subscription_id = i.subscription_id and user_id = $2) is_member
    from invites i where i.id = $1`,
  acceptInvite: `with ended as (
      update invites set status = 'accepted', ended_at = now() where id = $1
    ), member as (
      insert into members (subscription_id, user_id, permissions, created_at) values ($2, $3, $4, now())
    )
    insert into activity (at, kind, subscription_id, actor_id, actor_name, details) values (now(), 'memberJoined', $2, $3, $5, $6)`,

  member: `select m.permissions, u.display_name from members m join users u on u.id = m.user_id
    where m.subscription_id = $1 and m.user_id = $2`,
  removeUser: `with removed as (delete from members where subscription_id = $1 and user_id = $2)
    insert into activity (at, kind, subscription_id, actor_id, actor_name, subject_id, subject) values (now(), 'memberRemoved', $1, $3, $4, $2, $5)`,
  setPermissions: `with changed as (update members set permissions = $6 where subscription_id = $1 and user_id = $2)
    insert into activity (at, kind, subscription_id, actor_id, actor_name, subject_id, subject, details)
    values (now(), 'permissionsChanged', $1, $3, $4, $2, $5, $7)`,
}

export type User = { id: string; email: string; display_name: string; language: string | null }
type Rows = Record<string, unknown>[]
export type Ask = (name: keyof typeof statements, ...values: unknown[]) => Promise<Rows>
