import { expect, it } from 'vitest'
import { audioAddress, storageAddress } from '../../../src/telco/client/media-address.ts'

const PATH = '/2010-04-01/Accounts/AC1/Recordings/RE1'

it.each([
  [`https://api.twilio.com${PATH}`, `https://api.twilio.com${PATH}.mp3`],
  [`https://api.twilio.com${PATH}.wav?RequestedChannels=2`, `https://api.twilio.com${PATH}.wav?RequestedChannels=2`],
  [`https://api.dublin.ie1.twilio.com${PATH}`, `https://api.dublin.ie1.twilio.com${PATH}.mp3`],
  [
    'https://api.twilio.com/2010-04-01/Accounts/AC1/Calls/CA1/Recordings/RE1',
    'https://api.twilio.com/2010-04-01/Accounts/AC1/Calls/CA1/Recordings/RE1.mp3',
  ],
])('fetches %s with credentials', (written, url) => {
  expect(audioAddress(written, undefined)).toEqual({ url, hasCredentials: true })
})

it.each([
  `http://api.twilio.com${PATH}`,
  `https://api.twilio.com:8443${PATH}`,
  `https://api.twilio.com.evil.example${PATH}`,
  `https://evil-twilio.com${PATH}`,
  `https://apitwilio.com${PATH}`,
  `https://acme.sip.twilio.com${PATH}`,
  `https://user:secret@api.twilio.com${PATH}`,
  'https://api.twilio.com/2010-04-01/Accounts/AC1.json',
  'https://api.twilio.com/2010-04-01/Accounts/AC1/Recordings/../../AC1.json',
  'https://api.twilio.com/2010-04-01/Accounts/AC1/Recordings/RE1.json',
  'https://127.0.0.1/audio.mp3',
  'javascript:alert(1)',
])('the client does not fetch %s', (written) => {
  expect(audioAddress(written, undefined)).toBeUndefined()
})

it('takes the configured address for every host of the provider', () => {
  const base = 'http://127.0.0.1:4010/twilio'
  const url = `${base}${PATH}.mp3`
  expect(audioAddress(`https://api.twilio.com${PATH}`, base)?.url).toBe(url)
  expect(audioAddress(`${base}${PATH}`, base)?.url).toBe(url)
  expect(audioAddress(`http://127.0.0.1:4011/twilio${PATH}`, base)).toBeUndefined()
})

it.each([
  'https://media.twiliocdn.com/AC1/x',
  'https://mms.twiliocdn.com/AC1/x?Signature=y',
  'https://s3-external-1.amazonaws.com/media.twiliocdn.com/AC1/x?Signature=y',
])('follows a redirect to %s, without credentials', (location) => {
  expect(storageAddress(location, `https://api.twilio.com${PATH}`, undefined)).toEqual({
    url: location,
    hasCredentials: false,
  })
})

it.each([
  'https://evil.example/x',
  'http://media.twiliocdn.com/x',
  'https://media.twiliocdn.com.evil.example/x',
  'https://s3-external-1.amazonaws.com/evil-bucket/x',
  'https://s3.evil.amazonaws.com.example/media.twiliocdn.com/x',
  '/2010-04-01/Accounts/AC1.json',
  'http://169.254.169.254/latest/meta-data',
])('the client does not follow a redirect to %s', (location) => {
  expect(storageAddress(location, `https://api.twilio.com${PATH}`, undefined)).toBeUndefined()
})
