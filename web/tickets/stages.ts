/** The columns of the board; pure. */
import { queryOptions } from '@tanstack/react-query'
import { searchRead } from '../data/client.ts'

const STAGES_MAX = 100

export interface Stage {
  id: number
  name: string
  isFolded: boolean
  teams: readonly number[]
}

/** The stages in their order; one team's are those that name it, and those that name none. */
export const stagesQuery = queryOptions({
  queryKey: ['helpdesk.stage', 'board'],
  queryFn: async (): Promise<Stage[]> => {
    const fields = ['name', 'fold', 'team_ids'] as const
    const rows = await searchRead('helpdesk.stage', { fields, order: 'sequence, id', limit: STAGES_MAX })
    return rows.map(({ id, name, fold, team_ids: teams }) => ({ id, name: name ?? `#${id}`, isFolded: fold, teams }))
  },
})

export function stagesOf(stages: readonly Stage[], team: number | undefined): Stage[] {
  return stages.filter(({ teams }) => team === undefined || teams.length === 0 || teams.includes(team))
}
