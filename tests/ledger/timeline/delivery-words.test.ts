import { expect, test } from 'vitest'
import { answerWords, errorWords, sipWords, ticketWords } from '../../../src/ledger/timeline/delivery-words.ts'

test.each([
  ['SipResponseCode=404&To=sip:a@b.example.com:5060', 'SIP 404 Not Found, answered by b.example.com'],
  ['SipResponseCode=404&To=client:paul', 'SIP 404 Not Found: no web phone is signed in'],
  ['SipResponseCode=486', 'SIP 486 Busy Here'],
  ['SipResponseCode=699', 'SIP 699'],
  ['DialSipResponseCode=404', 'SIP 404 Not Found'],
  ['SipResponseCode=200', ''],
  ['', ''],
])('the report %s says of SIP: %s', (form, words) => {
  expect(sipWords(new URLSearchParams(form))).toBe(words)
})

test('an error is named with its words, and none when its code is 0', () => {
  expect(errorWords(new URLSearchParams('ErrorCode=13224&ErrorMessage=Invalid+number'))).toBe(
    'error 13224 Invalid number',
  )
  expect(errorWords(new URLSearchParams('ErrorCode=0'))).toBe('')
})

test.each([
  ['<Response><Say>Bye &amp; thanks!</Say><Hangup/></Response>', '“Bye & thanks!” → hangs up'],
  ['<Response><Dial timeout="20"><Sip statusCallback="x">sip:a@b?X-Ref=1</Sip></Dial></Response>', 'sip:a@b'],
  ['<Response></Response>', ''],
  [
    '<Response><Gather input="dtmf"><Say>Press 1.</Say></Gather><Say>Leave a message.</Say><Record/></Response>',
    'waits for input → “Press 1.” → no input → “Leave a message.” → recording',
  ],
  [
    '<Response><Say>Hello.</Say><Gather/><Redirect>/again?x=1</Redirect></Response>',
    '“Hello.” → waits for input → no input → next step /again',
  ],
  [
    '<Response><Dial><Client><Identity>ann@a.example.com</Identity></Client></Dial></Response>',
    'web phone ann@a.example.com',
  ],
  ['<Response><Dial><Client>bob</Client></Dial></Response>', 'web phone bob'],
  ['<Response><Dial><Sip>sip:agent_1a@sip.example.com;transport=tcp</Sip></Dial></Response>', 'Night desk'],
  ['{"ticket_id": 1}', ''],
])('the answer %s is: %s', (reply, words) => {
  expect(answerWords(reply, new Map([['agent_1a', 'Night desk']]))).toBe(words)
})

test.each([
  ['{"ticket_number":7,"ticket_name":"It leaks","say":"Done."}', 'ticket 7 "It leaks"'],
  ['{"ticket_number":7,"ticket_na', ''],
  ['null', ''],
  ['1', ''],
])('the answer %s of a tool names the ticket: %s', (reply, words) => {
  expect(ticketWords(reply)).toBe(words)
})
