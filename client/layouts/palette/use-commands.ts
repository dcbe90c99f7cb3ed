import type { MessageKey } from '#locales/keys.ts'
import type { Command } from './command.ts'
import { rankOf } from './match.ts'
import { recentCommands } from './recent.ts'
import { useActionCommands } from './use-actions.ts'
import { usePageCommands } from './use-pages.ts'
import { useProjectCommands } from './use-projects.ts'

export type Group = { title: MessageKey; commands: Command[] }

/** Everything that answers what was typed. What comes later, the projects, moves nothing that stands above it. */
export function useCommands(typed: string) {
  const pages = usePageCommands()
  const actions = useActionCommands()
  const { projects, isSearching } = useProjectCommands(typed)
  const all: Group[] = [
    { title: 'palette.pages', commands: bestFirst(pages, typed) },
    { title: 'palette.actions', commands: bestFirst(actions, typed) },
    { title: 'palette.projects', commands: projects },
  ]
  const groups = typed.trim() === '' ? withRecent(all) : all
  return { groups: groups.filter(({ commands }) => commands.length > 0), isSearching }
}

function bestFirst(commands: Command[], typed: string) {
  return commands
    .map((command) => ({ command, rank: rankOf(command.label, typed) }))
    .filter(({ rank }) => rank !== undefined)
    .toSorted((a, b) => a.rank! - b.rank!)
    .map(({ command }) => command)
}

function withRecent(groups: Group[]): Group[] {
  const ids = recentCommands()
  const all = groups.flatMap(({ commands }) => commands)
  const recent = ids
    .map((id) => all.find((command) => command.id === id))
    .filter((command) => command !== undefined)
  const others = groups.map(({ title, commands }) => ({
    title,
    commands: commands.filter(({ id, isRare }) => !isRare && !ids.includes(id)),
  }))
  return [{ title: 'palette.recent', commands: recent }, ...others]
}
