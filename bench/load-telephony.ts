import { FIRST_LOADED_ID } from './route.ts'
import { OUR_NUMBER } from './telco-request.ts'

/** The menu that callers answer. */
export const MENU_ID = FIRST_LOADED_ID

const ID = FIRST_LOADED_ID

/** One phone user with a web phone, a SIP phone and a voicemail; a number that rings it, and a menu that leads to it. */
export const TELEPHONY = `
  insert into res_users (id, login, name, active) values (${ID}, 'anna@example.com', 'Anna Keller', true);

  insert into connect_telco_domain (id, subdomain, friendly_name, application, sip_registration, delete_protection)
  select ${ID}, 'example', 'Example', id, true, true from connect_telco_markup order by id limit 1;

  insert into connect_user (id, "user", name, active, username, domain, sip_enabled, sip_priority, sip_ring_timeout,
    client_enabled, client_priority, client_ring_timeout, voicemail_enabled, voicemail_prompt, greeting_message, language,
    record_calls, missed_calls_notify, telco_edge)
  values (${ID}, ${ID}, 'Anna Keller', true, 'anna', ${ID}, true, '2', 30, true, '1', 30, true,
    'Please leave a message for {{user.name}}.', 'Welcome. You are being connected.', 'en-US', true, false, 'roaming');
  insert into connect_telco_user_callflow (id, "user", prio, callflow_type)
  values (${ID}, ${ID}, 1, 'client'), (${ID + 1}, ${ID}, 2, 'sip'), (${ID + 2}, ${ID}, 3, 'voicemail');

  insert into connect_telco_exten (id, number, model, res_id, is_published) values (${ID}, '101', 'connect.user', ${ID}, true);
  update connect_user set telco_exten = ${ID} where id = ${ID};

  insert into connect_telco_callflow (id, name, language, voice, gather_input, gather_input_type, gather_timeout, gather_digits,
    prompt_message)
  values (${MENU_ID}, 'Menu', 'en-US', 'Woman', true, 'dtmf', 5, 1, 'Press 1 for support.');
  insert into connect_telco_callflow_choice (callflow, choice_digits, exten) values (${MENU_ID}, '1', ${ID});

  insert into connect_telco_number (id, phone_number, destination, "user") values (${ID}, '${OUR_NUMBER}', 'user', ${ID});`
