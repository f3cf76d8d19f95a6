import type { Moment } from './moment.ts'

/** What an agent says it did, and the tools that do it. */
interface Kind {
  name: 'ticket' | 'visit' | 'transfer' | 'callback'
  /** In the languages that agents are set up in most; anyone who says it otherwise is not found out. */
  says: RegExp
  /** Undefined where no tool does it: somebody has to. */
  tools: RegExp | undefined
}

/** Something an agent told the caller that it has done or will do. */
interface Promised {
  kind: Kind['name']
  is_kept: boolean
  moment: number
  code: string
  params: { text: string }
}

const KINDS: readonly Kind[] = [
  {
    name: 'ticket',
    says: /\b(?:opened|created|raised|logged) (?:a |your |the )?(?:support )?ticket|\bticket (?:erstellt|angelegt|eröffnet)|\bouvert un ticket/i,
    tools: /create_ticket$/,
  },
  {
    name: 'visit',
    says: /\b(?:is|are|have|has|been|'ve) (?:\w+ )?(?:booked|scheduled)\b|\bbooked (?:a|the|your)\b|\btermin (?:\S+ ){0,6}(?:gebucht|vereinbart|eingetragen)|\bgebucht\b/i,
    tools: /create_event$/,
  },
  {
    name: 'transfer',
    says: /\b(?:i am|i'm|i will|i'll|let me) (?:connect|connecting|transfer|transferring|put|putting) you\b|\bich verbinde sie\b/i,
    tools: /^transfer_to/,
  },
  {
    name: 'callback',
    says: /\b(?:we|i|someone|somebody) (?:will|'ll) (?:call|ring|phone) you (?:back|again)\b|\b(?:we|i)'ll (?:call|ring) you back\b|\bruf(?:e|en) (?:wir )?sie zurück\b|\bmelden uns bei ihnen\b/i,
    tools: undefined,
  },
]

/**
 * What the agent promised in a call, against what its tools did in it. A promise to call back is open until somebody has
 * called: no tool does that. So is one to put the caller through where nobody took the call.
 */
export function promisesIn(
  moments: readonly Moment[],
  { isCalledBack, isTransferInVain }: { isCalledBack: boolean; isTransferInVain: boolean },
): Promised[] {
  const done = new Set(moments.filter(({ title }) => title === 'tool').map(({ params }) => String(params.name)))
  const promised = moments.flatMap(({ kind, params }, moment): Promised[] => {
    if (kind !== 'said' || params.role === 'user') return []
    const text = String(params.text)
    return KINDS.filter(({ says }) => says.test(text)).map(({ name, tools }) => {
      const isOpen = tools === undefined || (name === 'transfer' && isTransferInVain)
      const isKept = isOpen ? isCalledBack : [...done].some((tool) => tools.test(tool))
      return { kind: name, is_kept: isKept, moment, code: `promised_${name}`, params: { text } }
    })
  })
  // Said twice is promised once.
  return promised.filter(({ kind }, at) => promised.findIndex((each) => each.kind === kind) === at)
}
