-- Numbers read from their end, so that their last digits find them; src/app/search asks with the same expressions.
CREATE INDEX "connect_call_caller_ending_index" ON "connect_call" USING btree ((reverse("caller") COLLATE "C"));
--> statement-breakpoint
CREATE INDEX "connect_call_called_ending_index" ON "connect_call" USING btree ((reverse("called") COLLATE "C"));
--> statement-breakpoint
CREATE INDEX "res_partner_phone_ending_index" ON "res_partner" USING btree ((reverse("phone_normalized") COLLATE "C"));
--> statement-breakpoint
CREATE INDEX "res_partner_mobile_ending_index" ON "res_partner" USING btree ((reverse("mobile_normalized") COLLATE "C"));
