import { doesNotAnswer, hear, isBusy, press, say } from '../people.ts'
import { addressOf } from './company.ts'
import { one } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const NUMBER = '+14155550113'
const CALLER = '+14155550213'
const CARLA = { name: 'Carla Diaz', username: 'carla', phones: ['web'] } as const
const DAN = { name: 'Dan Evans', username: 'dan', phones: ['sip'] } as const

export const menuVoicemail: Scenario = {
  name: 'menu-voicemail',
  title: 'A menu leads to a group whose phones ring in vain, and the caller leaves a message',
  company: {
    people: [CARLA, DAN],
    menus: [
      {
        name: 'Sales',
        extension: '301',
        rings: [CARLA.name, DAN.name],
        voicemail: 'Please leave a message for sales.',
      },
      {
        name: 'Main menu',
        prompt: 'Welcome to Acme. Press 1 or say sales.',
        choices: [{ digits: '1', speech: 'sales', leadsTo: 'Sales' }],
      },
    ],
    numbers: [{ number: NUMBER, leadsTo: 'Main menu' }],
  },
  async play({ call, phone }) {
    phone(addressOf(CARLA, 'web'), doesNotAnswer)
    phone(addressOf(DAN, 'sip'), isBusy)
    const acts = [
      hear('press 1 or say sales'),
      press('9'),
      hear('wrong input'),
      say('The sales department, please.'),
      hear('leave a message for sales'),
      hear('(beep)'),
      say('Please call me back about my order.', 8),
    ]
    await call({ from: CALLER, to: NUMBER, acts })
  },
  expects: [
    one(
      'connect.call',
      { caller: CALLER },
      {
        direction: 'incoming',
        status: 'completed',
        outcome: 'voicemail',
        answered_user: null,
        voicemail_url: /\/Recordings\/RE/,
        voicemail_duration: 8,
      },
    ),
  ],
}
