/** Groups of kinds of records, in the order in which people look for them; the last takes what no other does. */
const GROUPS = [
  ['people', /^(?:res\.partner|connect\.favorite|connect\.erasure)$/],
  ['calls', /^connect\.(?:call|channel|recording|voicemail)$/],
  ['messages', /^connect\.(?:message|conversation|whatsapp)/],
  ['agents', /^connect\.(?:voiceai_|agent_tool)/],
  ['telephony', /^connect\.(?:telco\.|user$)/],
  ['helpdesk', /^helpdesk\./],
  ['calendar', /^(?:calendar|resource)\./],
  ['access', /^res\.(?:users|groups)/],
  ['service', /^/],
] as const satisfies readonly (readonly [string, RegExp])[]

export type ModelGroup = (typeof GROUPS)[number][0]

/** The kinds in their groups, each group in the order given; groups without any are left out. */
export function inGroups<Kind extends { name: string }>(
  kinds: readonly Kind[],
): { group: ModelGroup; kinds: readonly Kind[] }[] {
  const groupOf = ({ name }: Kind): ModelGroup => GROUPS.find(([, fits]) => fits.test(name))?.[0] ?? 'service'
  return GROUPS.map(([group]) => ({ group, kinds: kinds.filter((kind) => groupOf(kind) === group) })).filter(
    (each) => each.kinds.length > 0,
  )
}
