/** By which a tool that this service pushed names the call it is used in (dynamic variable `call_id`). */
export const CALL_HEADER = 'x-connect-call'
