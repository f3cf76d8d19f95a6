import { answers, hangUp, hear, say } from '../people.ts'
import { calls, hears } from '../voiceai/conversation/script.ts'
import { addressOf } from './company.ts'
import { one } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const NUMBER = '+14155550111'
const CALLER = '+14155550211'
const BEN = { name: 'Ben Carter', username: 'ben', phones: ['web'], extension: '201', isPublished: true } as const

export const agentTransfer: Scenario = {
  name: 'agent-transfer',
  title: 'A voice agent hands a caller over to a person, and both talk',
  company: {
    contacts: [{ name: 'Lena Vogt', phone: CALLER, lang: 'de_DE' }],
    people: [BEN],
    agents: [
      {
        name: 'Receptionist',
        greeting: 'Welcome. Whom may I connect you with?',
        greetings: { de_DE: 'Guten Tag {{greeting}}, mit wem darf ich Sie verbinden?' },
        prompt: 'You connect callers with the right person.',
        tools: ['transfer_to_exten'],
        connectsBy: 'sip',
      },
    ],
    numbers: [{ number: NUMBER, leadsTo: 'Receptionist' }],
  },
  scripts: () => ({
    Receptionist: {
      summary: 'The caller was connected with Ben Carter.',
      turns: [hears('ben'), calls('transfer_to_exten', { exten: BEN.extension })],
    },
  }),
  async play({ call, phone }) {
    phone(addressOf(BEN, 'web'), answers([say('Ben speaking.'), hear('hello ben'), say('Goodbye.'), hangUp()]))
    const acts = [hear('guten tag lena vogt'), say('Ben, please.'), hear('ben speaking'), say('Hello Ben!')]
    await call({ from: CALLER, to: NUMBER, acts })
  },
  expects: [
    one(
      'connect.call',
      { caller: CALLER },
      {
        direction: 'incoming',
        status: 'completed',
        outcome: 'agent_person',
        voiceai_agent: 'Receptionist',
        voiceai_conversation_id: /^conv_/,
        answered_user: 'Ben Carter',
      },
    ),
    one('connect.recording', { source: 'DialVerb' }, { status: 'completed' }),
  ],
}
