/** A change that the product has acknowledged. `project` is a subscription's id. */
export type Fact =
  | { kind: 'signedUp'; email: string }
  | { kind: 'verified'; email: string }
  | { kind: 'created'; project: string; owner: string; plan: string }
  | { kind: 'renamed'; project: string; name: string }
  | { kind: 'planChanged'; project: string; plan: string }
  | { kind: 'invited'; project: string; inviteId: string; email: string }
  | { kind: 'joined'; project: string; inviteId: string; email: string }
  | { kind: 'canceled'; project: string }

type Noted = Fact & { at: number }

export type Ledger = ReturnType<typeof openLedger>

/** What the database has to hold in the end. */
export function openLedger() {
  const facts: Noted[] = []
  const open = new Set<string>()
  return {
    facts,
    acknowledge: (fact: Fact) => void facts.push({ ...fact, at: Date.now() }),
    /** A change of this project got no answer, so nobody can say what its state must be. */
    leaveOpen: (project: string) => void open.add(project),
    isOpen: (project: string) => open.has(project),
    of: <Kind extends Fact['kind']>(kind: Kind) =>
      facts.filter((fact): fact is Extract<Noted, { kind: Kind }> => fact.kind === kind),
  }
}
