/** Groups of kinds of records, in the order in which people look for them; the last takes what no other does. */
const GROUPS = [
  ['group_people', /^(?:res\.partner|connect\.favorite|connect\.erasure)$/],
  ['group_calls', /^connect\.(?:call|channel|recording|voicemail)$/],
  ['group_messages', /^connect\.(?:message|conversation|whatsapp)/],
  ['group_agents', /^connect\.(?:voiceai_|agent_tool)/],
  ['group_telephony', /^connect\.(?:telco\.|user$)/],
  ['group_helpdesk', /^helpdesk\./],
  ['group_calendar', /^(?:calendar|resource)\./],
  ['group_access', /^res\.(?:users|groups)/],
  ['group_service', /^/],
] as const satisfies readonly (readonly [string, RegExp])[]

export type ModelGroup = (typeof GROUPS)[number][0]

/** The kinds in their groups, each group in the order given; groups without any are left out. */
export function inGroups<Kind extends { name: string }>(
  kinds: readonly Kind[],
): { group: ModelGroup; kinds: readonly Kind[] }[] {
  const groupOf = ({ name }: Kind): ModelGroup => GROUPS.find(([, fits]) => fits.test(name))?.[0] ?? 'group_service'
  return GROUPS.map(([group]) => ({ group, kinds: kinds.filter((kind) => groupOf(kind) === group) })).filter(
    (each) => each.kinds.length > 0,
  )
}
