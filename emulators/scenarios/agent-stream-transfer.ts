import { answers, hangUp, hear, say } from '../people.ts'
import { calls, hears, says } from '../voiceai/conversation/script.ts'
import { addressOf } from './company.ts'
import { one, theOnly } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const NUMBER = '+14155550112'
const CALLER = '+14155550212'
const IDA = { name: 'Ida Olsen', username: 'ida', phones: ['sip'], extension: '202', isPublished: true } as const

export const agentStreamTransfer: Scenario = {
  name: 'agent-stream-transfer',
  title: 'A caller whose call was registered with a voice agent is handed over to a SIP phone',
  company: {
    people: [IDA],
    agents: [
      {
        name: 'Switchboard',
        greeting: 'Welcome. How may I help you?',
        prompt: 'You connect callers with the right person.',
        tools: ['transfer_to_exten', 'create_partner'],
        connectsBy: 'register',
      },
    ],
    numbers: [{ number: NUMBER, leadsTo: 'Switchboard' }],
  },
  scripts: () => ({
    Switchboard: {
      summary: 'Max Weber was connected with Ida Olsen.',
      turns: [
        hears('my name'),
        calls('create_partner', { name: 'Max Weber' }),
        says('Thank you, I connect you now.'),
        calls('transfer_to_exten', { exten: IDA.extension }),
      ],
    },
  }),
  async play({ call, phone }) {
    phone(addressOf(IDA, 'sip'), answers([say('Ida here.'), hear('hello'), hangUp()]))
    const acts = [hear('how may i'), say('My name is Max Weber, Ida please.'), hear('ida here'), say('Hello!')]
    await call({ from: CALLER, to: NUMBER, acts })
  },
  expects: [
    theOnly('res.partner', { phone: CALLER }, { name: 'Max Weber' }),
    one(
      'connect.call',
      { caller: CALLER },
      {
        ...{ status: 'completed', outcome: 'agent_person', partner: 'Max Weber' },
        ...{ voiceai_agent: 'Switchboard', answered_user: 'Ida Olsen' },
      },
    ),
  ],
}
