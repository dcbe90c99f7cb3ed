export const product = { name: 'Atrium' } as const
